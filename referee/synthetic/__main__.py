"""Films a scene from the command line: python -m referee.synthetic SCENE.yaml OUT_FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.domain.errors import InputError
from referee.synthetic.clip import write_clip
from referee.synthetic.scenario.scene_file import read_scene


@click.command()
@click.argument("scene", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--avi", is_flag=True, help="Motion JPEG as webcams send it, in clip.avi, instead of H.264."
)
@click.option("--jpg", is_flag=True, help="Write the picture of the pieces as pieces.jpg.")
def main(scene: Path, out: Path, avi: bool, jpg: bool) -> None:
    """Film SCENE (YAML) into the folder OUT: the clip, the set's picture, camera.yaml, match.yaml
    and truth.json.
    """
    try:
        truth = write_clip(
            read_scene(scene), out, file=str(scene), avi=avi, pieces_ext=".jpg" if jpg else ".png"
        )
    except InputError as err:
        click.echo(str(err), err=True)
        sys.exit(2)
    click.echo(
        f"{out}: {len(truth['frames'])} frames, {len(truth['incidents'])} incidents,"
        f" {len(truth['near_misses'])} near misses"
    )


if __name__ == "__main__":
    main()
