"""What is said about a rack that is not one: how many coins are off, and the worst two."""

from referee.games.carroms.rack import rack_faults, rack_mm


def test_of_many_coins_off_their_places_the_worst_two_are_named():
    """Three coins are pushed outward by 30, 20 and 10 mm; a quarter of 20 mm is allowed. The rack's
    turn is the mean of twelve angles, which a push along the radius does not change.
    """
    lying = rack_mm((0.0, 0.0), 20.0)
    for coin, push_mm in (("suns-4", 10.0), ("arms-4", 30.0), ("suns-5", 20.0)):
        x, y = lying[coin]
        way = (x * x + y * y) ** 0.5
        lying[coin] = (x * (1 + push_mm / way), y * (1 + push_mm / way))
    assert rack_faults(lying, (0.0, 0.0), 20.0) == (
        "3 coins are off their places",
        "blue coin 4 lies 30 mm from its place",
        "red coin 5 lies 20 mm from its place",
    )
