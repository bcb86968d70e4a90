import { expect, test } from 'vitest';
import { hashPassword } from './password.ts';

test('a password is hashed at a cost that makes guessing slow', async () => {
	expect(await hashPassword('correct horse battery staple')).toMatch(
		/^\$argon2id\$v=19\$m=32768,t=3,p=1\$/
	);
});
