"""Corrects every frame so that it looks as if neither the camera nor the light had changed."""
