"""Ways in from elsewhere: what other programs recorded, read into values of our own."""
