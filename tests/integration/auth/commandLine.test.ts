import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeOnBothDatabases } from '../../support/database.ts';
import { authOver, PASSWORD, signInAs, withToken } from '../../support/people.ts';

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts');

describeOnBothDatabases('the command line', (database) => {
	const komodeck = (
		args: string[],
		input = ''
	): Promise<{ code: number; out: string; err: string }> =>
		new Promise((resolve) => {
			const env = {
				...process.env,
				KOMODECK_DATA: database.dataDir,
				DATABASE_URL: database.options.url ?? ''
			};
			const child = execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) => {
				resolve({ code: Number(error?.code ?? 0), out, err });
			});
			child.stdin?.end(input);
		});

	test('adds a person who can sign in, and a token as the last word', async () => {
		const auth = await authOver(database);
		const added = await komodeck(
			['user', 'add', 'carol', '--role', 'operator', '--password-stdin'],
			`${PASSWORD}\n`
		);
		expect(added).toMatchObject({ code: 0, err: '' });
		expect(added.out).not.toContain(PASSWORD);
		const carol = { id: '', name: 'carol', role: 'operator' } as const;
		await expect(signInAs(auth, carol)).resolves.toBeTruthy();

		const made = await komodeck(['token', 'create', '--user', 'carol', '--role', 'viewer']);
		expect(made.code).toBe(0);
		const token = made.out.trim().split(/\s+/).at(-1) ?? '';
		expect(await auth.identify(withToken(token))).toMatchObject({
			via: 'token',
			role: 'viewer',
			account: { name: 'carol' }
		});
		expect(await komodeck(['audit', 'verify'])).toMatchObject({
			code: 0,
			out: 'The audit log is whole: 3 rows.\n'
		});
	});

	test('refuses what makes no sense, with a sentence', async () => {
		const cases: [string[], number, RegExp][] = [
			[['user', 'add', 'dave', '--role', 'king'], 2, /viewer, operator, notary, admin/],
			[['user', 'add', '--role', 'viewer'], 2, /one name/],
			[['token', 'create', '--user', 'nobody', '--role', 'viewer'], 2, /no account named nobody/],
			[['token', 'create', '--user', 'carol', '--role', 'admin'], 1, /at most what its person/],
			[['audit', 'erase'], 2, /audit verify/],
			[['dance'], 2, /no verb "dance"/]
		];
		for (const [args, code, sentence] of cases) {
			const answer = await komodeck(args);
			expect(answer.code).toBe(code);
			expect(answer.err).toMatch(sentence);
			expect(answer.err).not.toMatch(/\bat .*:\d+:\d+/);
		}
	});
});
