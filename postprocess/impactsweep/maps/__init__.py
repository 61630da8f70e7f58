"""Files of the program, as stored and decoded: maps, refined maps, histories; their cells as rows."""
