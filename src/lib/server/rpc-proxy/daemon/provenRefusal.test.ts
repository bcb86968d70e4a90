import { expect, test } from 'vitest';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isProvenRefusal } from './provenRefusal.ts';

const answer = (content: object): Buffer => Buffer.from(JSON.stringify({ ...content, id: 1 }));
const refused = (method: DaemonMethod, message: string, code = -4): boolean =>
	isProvenRefusal(method, answer({ result: null, error: { code, message } }));

test('a known refusal from before a transaction was made proves that nothing was sent', () => {
	expect(refused('sendtoaddress', 'Insufficient funds', -6)).toBe(true);
	expect(refused('sendtoaddress', 'Invalid Komodo address', -5)).toBe(true);
	expect(refused('sendtoaddress', 'Signing transaction failed')).toBe(true);
	expect(refused('signmessage', 'Private key not available')).toBe(true);
	const entry = { result: { error: 'cant modify write once key without passphrase' }, error: null };
	expect(isProvenRefusal('kvupdate', answer(entry))).toBe(true);
});

test('a transaction that the wallet keeps, an unknown or lost answer and a success prove nothing', () => {
	const kept =
		'Error: The transaction was rejected! This might happen if some of the coins in your wallet were already spent';
	expect(refused('sendtoaddress', kept)).toBe(false);
	expect(refused('kvupdate', kept)).toBe(false);
	expect(refused('sendtoaddress', 'Error: The transaction was rejected! Reason given: x')).toBe(
		false
	);
	expect(refused('sendtoaddress', 'Insufficient funds', -32603)).toBe(false);
	expect(isProvenRefusal('sendtoaddress', answer({ result: 'ab'.repeat(32), error: null }))).toBe(
		false
	);
	for (const body of ['', '<html>', '{"id":1}', ' '.repeat(20_000)]) {
		expect(isProvenRefusal('sendtoaddress', Buffer.from(body))).toBe(false);
	}
});

test('a refusal of bytes proves nothing, because the daemon has them', () => {
	expect(refused('sendrawtransaction', 'Missing inputs', -25)).toBe(false);
});
