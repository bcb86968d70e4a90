/** Attacks with leaked API tokens: from elsewhere, beyond their spending limits, and after they expired. */
import type { NewApiToken } from '#lib/server/access/api-tokens/create.ts';
import { REPLACED_MS } from '#lib/server/access/api-tokens/lifetime.ts';
import { p2pk } from '#lib/chain/script.ts';
import { outcome, type Attack } from './attack.ts';
import { COIN, LOOT, made, signed, THIEF } from './spending.ts';
import { call, page, postForm, type Person, type Target } from './target.ts';

const HEIGHT = '{"id":1,"method":"getblockcount"}';

/** An operator with a limited token. */
async function limited(
	target: Target,
	limits: Partial<NewApiToken>
): Promise<{ person: Person; id: string; token: string }> {
	const person = await target.person('operator');
	const wanted = { account: person.account, name: 'limited', role: 'operator', ...limits } as const;
	return { person, ...(await target.auth.tokens.create(wanted, wanted.account)) };
}

/**
 * Has a token sign a payment to a stranger.
 * @param extra satoshi, to make a different transaction
 */
async function loot(
	target: Target,
	person: Person,
	token: string,
	extra = 0n
): Promise<{ got: boolean; text: string }> {
	const paid = [{ value: LOOT + extra, script: p2pk(THIEF) }];
	const { got, text } = await signed(
		target,
		{ ...person, token },
		await made(target, person, paid)
	);
	return { got, text: text.slice(0, 250) };
}

/**
 * Replaces a token through its form.
 * @returns the new token
 */
async function replaced(
	target: Target,
	{ cookie }: Person,
	id: string,
	when: 'now' | 'in-an-hour'
): Promise<string> {
	const answer = await postForm(
		target.url,
		'/account?/replaceToken',
		{ token: id, when, sure: 'yes' },
		{ cookie }
	);
	const html = await answer.text();
	const [next = ''] = /kdk_[\w-]{43}/.exec(html) ?? [];
	if (next === '') throw new Error(`It was not replaced: ${answer.status}`);
	return next;
}

export const apiTokenAttacks: readonly Attack[] = [
	{
		name: 'token-from-another-network',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await limited(target, { addresses: ['192.0.2.0/24', '2001:db8::/32'] });
			const { status, text } = await call(target, token, HEIGHT);
			return outcome(status === 200, text);
		}
	},
	{
		name: 'token-under-a-forged-address',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await limited(target, { addresses: ['192.0.2.0/24'] });
			const seen: number[] = [];
			for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip']) {
				const value = name === 'forwarded' ? 'for=192.0.2.1' : '192.0.2.1';
				const headers = { authorization: `Bearer ${token}`, [name]: value };
				seen.push((await call(target, headers, HEIGHT)).status);
				seen.push((await page(target, '/api/v1/chains/ALPHA/tokens', '', headers)).status);
			}
			return outcome(seen.includes(200), seen, seen.length);
		}
	},
	{
		name: 'token-beyond-its-wallets',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await limited(target, { wallets: ['BETA'] });
			const { status, text } = await call(target, token, '{"id":1,"method":"getnewaddress"}');
			return outcome(status === 200, text);
		}
	},
	{
		name: 'token-beyond-its-amount',
		class: 'spending control bypass',
		async run(target) {
			const amounts = [{ chain: '*', each: COIN, day: null }];
			const { person, token } = await limited(target, { amounts });
			const { got, text } = await loot(target, person, token);
			return outcome(got, text);
		}
	},
	{
		name: 'sends-beyond-the-day-of-a-token',
		class: 'spending control bypass',
		async run(target) {
			const amounts = [{ chain: 'ALPHA', each: null, day: LOOT + COIN }];
			const { person, token } = await limited(target, { amounts });
			const first = await loot(target, person, token);
			if (!first.got) throw new Error(`What is allowed was refused: ${first.text}`);
			const { got, text } = await loot(target, person, token, 1n);
			return outcome(got, text, 2);
		}
	},
	{
		name: 'day-of-a-replaced-token',
		class: 'spending control bypass',
		async run(target) {
			const amounts = [{ chain: '*', each: null, day: LOOT + COIN }];
			const { person, id, token } = await limited(target, { amounts });
			const first = await loot(target, person, token);
			if (!first.got) throw new Error(`What is allowed was refused: ${first.text}`);
			const next = await replaced(target, person, id, 'now');
			const { got, text } = await loot(target, person, next, 1n);
			return outcome(got, text, 2);
		}
	},
	{
		name: 'token-beyond-its-recipients',
		class: 'spending control bypass',
		async run(target) {
			const recipients = ['RB6yhcs8NvnypkuM5M5qFyC69bWzVB6VgB'];
			const { person, token } = await limited(target, { recipients });
			const { got, text } = await loot(target, person, token);
			return outcome(got, text);
		}
	},
	{
		name: 'send-of-a-token-that-cannot-be-measured',
		class: 'spending control bypass',
		async run(target) {
			const amounts = [{ chain: '*', each: COIN, day: null }];
			const { token } = await limited(target, { amounts });
			// No chain holds this amount.
			const params = '["RB6yhcs8NvnypkuM5M5qFyC69bWzVB6VgB","1e12"]';
			const body = `{"id":1,"method":"sendtoaddress","params":${params}}`;
			const { text } = await call(target, token, body);
			return outcome(!text.includes('cannot be told'), text);
		}
	},
	{
		name: 'limited-token-at-a-page',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await limited(target, { methods: ['getinfo'] });
			const headers = { authorization: `Bearer ${token}` };
			const seen: number[] = [];
			for (const path of ['/chains/ALPHA/tokens', '/api/v1/chains/ALPHA/tokens', '/transactions']) {
				seen.push((await page(target, path, '', headers)).status);
			}
			return outcome(seen.includes(200), seen, seen.length);
		}
	},
	{
		name: 'replaced-token',
		class: 'replay',
		async run(target) {
			const { person, id, token } = await limited(target, {});
			await replaced(target, person, id, 'now');
			const { status } = await call(target, token, HEIGHT);
			return outcome(status === 200, { status });
		}
	},
	{
		name: 'replaced-token-that-goes-on',
		class: 'replay',
		async run(target) {
			const { person, id } = await limited(target, {});
			await replaced(target, person, id, 'in-an-hour');
			const tokens = await target.auth.tokens.list(person.account.id);
			const end = tokens.find((token) => token.id === id)?.expiresAt ?? Infinity;
			return outcome(end > Date.now() + REPLACED_MS, { end });
		}
	},
	{
		name: 'token-of-a-hundred-years',
		class: 'privilege escalation',
		async run(target) {
			const { cookie } = await target.person('operator');
			const made: string[] = [];
			const lifetimes = ['', '366', '36500', '1e5', '0x7000'];
			for (const expires of lifetimes) {
				const fields = { name: 'long', role: 'viewer', expires };
				const answer = await postForm(target.url, '/account?/createToken', fields, { cookie });
				if (/kdk_[\w-]{43}/.test(await answer.text())) made.push(`"${expires}"`);
			}
			return outcome(made.length > 0, made, lifetimes.length);
		}
	}
];
