import { expect, test } from 'vitest';
import { ownAddress } from './ownAddress.ts';

test.each([
	['127.0.0.1', 'http://localhost:3000'],
	['0.0.0.0', 'http://localhost:3000'],
	['::', 'http://localhost:3000'],
	['::1', 'http://localhost:3000'],
	['127.0.0.2', 'http://127.0.0.2:3000'],
	['10.0.0.5', 'http://10.0.0.5:3000'],
	['fd00::5', 'http://[fd00::5]:3000'],
	['deck.lan', 'http://deck.lan:3000'],
	['fe80::1%eth0', 'http://localhost:3000']
])('what listens on %s is at %s', (host, address) => {
	expect(ownAddress(host, 3000)).toBe(address);
});
