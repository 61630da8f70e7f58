"""What readers see, on paper and in notebooks: words, numbers, colours, HTML. Nothing of matplotlib."""
