"""A set's sizes and faces, learnt from one picture."""
