"""Computes a flick's smooth paths: slides, what each hit, and the joint fit."""
