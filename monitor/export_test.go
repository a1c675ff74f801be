package monitor

// Engines are the search engines that are asked about.
var Engines = engines
