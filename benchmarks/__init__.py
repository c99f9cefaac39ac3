"""What the referee costs and how right it is, measured. Not a part of the product."""

# before numpy, as in the referee's own commands: it says how many threads are worth their cost
import referee as referee
