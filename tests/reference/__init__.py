"""What the library is measured against: the sources' own algorithms, and exact answers."""
