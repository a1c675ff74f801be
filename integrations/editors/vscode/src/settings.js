// What the extension tells the server, and how it shows the server's answers.
'use strict'

// settings returns what the server reads: null is its default.
function settings(configuration) {
  return {
    profile: configuration.get('profile') || null,
    enable: configuration.get('enable') ?? null,
    disable: configuration.get('disable') ?? null,
    codeLens: configuration.get('codeLens') ?? null,
    language: configuration.get('language') || null
  }
}

// shown returns answers of the server about a URL as items to choose from.
function shown(verdicts) {
  return verdicts.map(({ robot, allowed, sentence, group, line }) => ({
    label: `${allowed ? '$(check)' : '$(circle-slash)'} ${robot === '*' ? '* (all others)' : robot}`,
    description: sentence + (group && group.toLowerCase() !== robot.toLowerCase() ? ` (group ${group})` : ''),
    line
  }))
}

module.exports = { settings, shown }
