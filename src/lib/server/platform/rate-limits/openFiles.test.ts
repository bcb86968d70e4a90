import { expect, test } from 'vitest';
import { createOpenFiles } from './openFiles.ts';

const visitor = (address: string) => ({ account: null, address });
const member = (account: string) => ({ account, address: '192.0.2.1' });

test('a caller has no more files open than allowed, and a place given back twice is one place', () => {
	const files = createOpenFiles({ caller: 2, visitors: 10, all: 10 });
	const first = files.open(visitor('2001:db8::1'))!;
	expect(files.open(visitor('2001:db8::2'))).not.toBeNull();
	expect(files.open(visitor('2001:db8::3'))).toBeNull();
	expect(files.open(visitor('2001:db8:1::3'))).not.toBeNull();
	first();
	first();
	expect(files.open(visitor('2001:db8::3'))).not.toBeNull();
	expect(files.open(visitor('2001:db8::3'))).toBeNull();
});

test('visitors leave places to members, who all together have a limit', () => {
	const files = createOpenFiles({ caller: 2, visitors: 3, all: 5 });
	for (let n = 0; n < 3; n += 1) expect(files.open(visitor(`192.0.2.${n}`))).not.toBeNull();
	expect(files.open(visitor('192.0.2.9'))).toBeNull();
	const place = files.open(member('a'))!;
	expect(files.open(member('b'))).not.toBeNull();
	expect(files.open(member('c'))).toBeNull();
	place();
	expect(files.open(visitor('192.0.2.9'))).toBeNull();
	expect(files.open(member('c'))).not.toBeNull();
});
