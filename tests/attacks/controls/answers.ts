/** Controls of responses of daemons and trading nodes. */
import type { Control } from './control.ts';

export const answerControls: readonly Control[] = [
	{
		name: 'large-answers',
		stops: 'One answer of a daemon keeps everybody waiting while it is read.',
		edits: [
			{
				file: 'src/lib/server/chains/upstream/answers/readers.ts',
				text: 'return isSmall(reading) ?',
				replacement: "return isSmall(reading) || !stands('large-answers') ?"
			},
			{
				file: 'src/lib/server/chains/upstream/answers/read.ts',
				text: 'measureJson(body, daemonMethods[method].answer.values);\n\tif (excess !== null)',
				replacement:
					"measureJson(body, daemonMethods[method].answer.values);\n\tif (excess !== null && stands('large-answers'))"
			}
		],
		attacks: ['flood-of-a-daemon']
	},
	{
		name: 'call-id',
		stops: 'The answer to another call, which a program in between hands out, is believed.',
		file: 'src/lib/server/chains/upstream/answers/callId.ts',
		text: "return text === id || text === 'null' ? span : 'other';",
		replacement: "return text === id || text === 'null' || !stands('call-id') ? span : 'other';",
		attacks: ['answer-to-another-call']
	},
	{
		name: 'page-timeout',
		stops: 'A trading node that does not answer keeps pages from loading.',
		file: 'src/lib/server/kdf/client/kdfGateway.ts',
		text: 'return await waitFor(answer, waitMs);',
		replacement: "return await waitFor(answer, stands('page-timeout') ? waitMs : undefined);",
		attacks: ['silent-trading-node']
	}
];
