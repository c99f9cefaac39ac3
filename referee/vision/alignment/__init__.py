"""Makes every frame like the background: as though neither the camera nor the light had changed."""
