module fubini/beam

go 1.26.0

require fubini v0.0.0

replace fubini => ../
