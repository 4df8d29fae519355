import { listReloadAnswers, type ReloadAnswer } from '../boot/settings/reload-answers.ts'
import { livingNodes } from '../cluster/agree.ts'
import { printError, printJson, printLine } from '../terminal.ts'
import { askService } from './ask-service.ts'
import { type AdminCommand, wantsJson } from './command.ts'
import { type AdminContext, operate } from './open-database.ts'

/** `npm run admin -- reload`: makes the running service read its configuration file again. */
export const reload: AdminCommand = {
  summary: 'Makes the running service read its configuration file and its certificate again.',
  usage: [
    'Usage: npm run admin -- reload [--json]',
    '',
    'Applies plans, rates, tools.disabled and the certificate. Names other changed keys, which need a restart. Waits for',
    'the answer of the service, or of all nodes. Exits with 1 if the file is invalid, which changes nothing, or if no',
    'service answers within 30 seconds. SIGUSR2 reloads one service, and its log says what came of it.',
  ].join('\n'),
  async run(args) {
    const json = wantsJson(args)
    const { expected, answers } = await operate(requestReload)
    const refused = answers.filter(({ reloaded }) => !reloaded)
    const missing = expected - answers.length
    if (json) printJson(JSON.stringify({ nodes: answers, missing }, null, 2))
    else {
      for (const answer of answers) printLine(`${answer.host}: ${describe(answer)}`)
      if (missing > 0) printError(`${missing} of ${expected} running services did not answer within 30 seconds.`)
    }
    return refused.length || missing > 0 ? 1 : 0
  },
}

const describe = ({ reloaded, reason, needRestart = [] }: ReloadAnswer) => {
  if (!reloaded) return `not reloaded; the old configuration stays in effect: ${reason}`
  return needRestart.length ? `reloaded. After a restart, these take effect too: ${needRestart.join(', ')}` : 'reloaded'
}

async function requestReload(context: AdminContext) {
  const { config, database } = context
  const expected = config.redisUrl ? Math.max(1, (await livingNodes(database)).nodes.length) : 1
  const answers = await askService(
    context,
    { action: 'reload', subject: 'service' },
    (id) => listReloadAnswers(database, id, expected),
    ({ length }) => length >= expected,
  )
  return { expected, answers }
}
