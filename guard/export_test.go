package guard

const (
	NoRobot      = noRobot
	ByRules      = byRules
	Exempt       = exempted
	NoPath       = noPath
	Unidentified = unidentified
	Excepted     = excepted
)
