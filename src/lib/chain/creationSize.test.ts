import { expect, test } from 'vitest';
import { creationScriptBytes } from './creationSize.ts';
import { BLOB, tokenCreateScript } from './token.ts';

const OWNER = new Uint8Array(33).fill(2);

test.each([
	[1, 0, 0],
	[32, 0, 0],
	[4, 26, 0],
	[32, 170, 0],
	[32, 252, 0],
	[32, 253, 0],
	[32, 4096, 0],
	[5, 0, 1],
	[5, 0, 252],
	[5, 10, 9_940],
	[32, 4096, 10_001]
])('a payload of %i, %i and %i bytes is as large as its script', (name, description, data) => {
	const script = tokenCreateScript({
		owner: OWNER,
		name: 'n'.repeat(name),
		description: 'd'.repeat(description),
		blobs: data === 0 ? [] : [{ id: BLOB.nonFungible, data: new Uint8Array(data) }]
	});
	expect(creationScriptBytes({ name, description, data })).toBe(script.length);
});
