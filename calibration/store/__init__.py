"""The YAML files: camera, table and pieces, written for people and read back strictly."""
