"""What speaks to libimpact: the search for its file, its structures and functions, its tables of theories, units."""
