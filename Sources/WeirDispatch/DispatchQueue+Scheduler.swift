public import Weir
