/**
 * Which methods sign or return bytes that may be signed: freezing stops them, and their responses are
 * inspected.
 */
import { expect, test } from 'vitest';
import { daemonMethods } from './daemon/index.ts';
import { changesNothing, returnsUnsent, type Stoppable } from './method.ts';
import { kdfMethods } from './kdf/index.ts';

/** Methods that change something without signing or returning anything that could be sent. */
const DAEMON_WITHOUT = [
	'createrawtransaction',
	'generate',
	'getnewaddress',
	'getrawchangeaddress',
	'importaddress',
	'invalidateblock',
	'keypoolrefill',
	'lockunspent',
	'migrate_checkburntransactionsource',
	'ping',
	'prioritisetransaction',
	'reconsiderblock',
	'setgenerate',
	'setpubkey',
	'setstakingsplit',
	'verifychain'
];
const namesOf = (
	methods: Readonly<Record<string, Stoppable>>,
	is: (method: Stoppable) => boolean
): string[] =>
	Object.entries(methods)
		.filter(([, method]) => is(method))
		.map(([name]) => name)
		.sort();

test('every method of a daemon that changes something signs, but for those that are known not to', () => {
	const without = namesOf(daemonMethods, ({ access, signs }) => !changesNothing(access) && !signs);
	expect(without).toEqual(DAEMON_WITHOUT);
});

test('what only reads signs nothing, and shows nothing that did not go out', () => {
	const reading = (method: Stoppable): boolean => changesNothing(method.access) && method.signs;
	expect(namesOf(daemonMethods, reading)).toEqual([]);
	expect(namesOf(kdfMethods, reading)).toEqual([]);
});

test('signed bytes that were not sent come from what builds, and from nothing that sends', () => {
	expect(namesOf(daemonMethods, returnsUnsent)).toEqual([
		'fundrawtransaction',
		'migrate_completeimporttransaction',
		'migrate_converttoexport',
		'migrate_createburntransaction',
		'migrate_createimporttransaction',
		'migrate_createnotaryapprovaltransaction',
		'selfimport',
		'signrawtransaction',
		'tokencreate',
		'tokentransfer'
	]);
});

test('of what may be asked of a trading node only the signing of messages', () => {
	const open = namesOf(kdfMethods, ({ access, signs }) => signs && access !== 'never');
	expect(open).toEqual(['sign_message']);
});
