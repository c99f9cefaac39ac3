"""A flick's smooth paths: slides, what they met, and the joint fit."""
