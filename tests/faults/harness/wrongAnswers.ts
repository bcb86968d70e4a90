/**
 * Single wrong responses of a daemon, or of a proxy before it: each method, each response, before and after the
 * action.
 */

export const METHODS = [
	'migrate_createburntransaction',
	'sendrawtransaction of the burn',
	'migrate_createimporttransaction',
	'migrate_completeimporttransaction',
	'sendrawtransaction of the import'
] as const;

export type FaultyMethod = (typeof METHODS)[number];

export type WrongAnswer =
	| { name: string; kind: 'error'; code: number; message: string; status?: number }
	| { name: string; kind: 'text'; status: number; text: string }
	| { name: string; kind: 'broken-off' };

/** All of them are temporary: the daemon answers a later call correctly. */
export const WRONG_ANSWERS: readonly WrongAnswer[] = [
	{ name: '-32603', kind: 'error', code: -32603, message: 'Internal error' },
	{ name: '-7', kind: 'error', code: -7, message: 'Out of memory' },
	{ name: '-10', kind: 'error', code: -10, message: 'Komodo is downloading blocks...' },
	{ name: '-5', kind: 'error', code: -5, message: 'No information available about transaction' },
	{ name: '-28', kind: 'error', code: -28, message: 'Verifying blocks...' },
	{ name: '66 mempool full', kind: 'error', code: -26, message: '66: mempool full' },
	{ name: '66 priority', kind: 'error', code: -26, message: '66: insufficient priority' },
	{ name: 'busy', kind: 'text', status: 500, text: 'Work queue depth exceeded' },
	{ name: 'a page', kind: 'text', status: 502, text: '<html><body>Bad Gateway</body></html>' },
	{ name: 'broken off', kind: 'broken-off' }
];

/** `before`: the daemon never receives the call. `after`: it has already acted. */
export interface Combination {
	method: FaultyMethod;
	answer: WrongAnswer;
	when: 'before' | 'after';
}

export const COMBINATIONS: readonly Combination[] = METHODS.flatMap((method) =>
	WRONG_ANSWERS.flatMap((answer) =>
		(['before', 'after'] as const).map((when) => ({ method, answer, when }))
	)
);

export const titleOf = ({ method, answer, when }: Combination): string =>
	`${answer.name} ${when} ${method}`;
