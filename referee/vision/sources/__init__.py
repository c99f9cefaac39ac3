"""Where frames come from: files, streams and cameras, with the stream's own times."""
