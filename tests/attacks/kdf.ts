/** Attacks on the trading node through the RPC API for scripts. */
import { expect, vi } from 'vitest';
import { TRADING_NODE } from '#lib/server/platform/config/discover.ts';
import { outcome, type Attack } from './attack.ts';
import { call, postForm, type Person, type Target } from './target.ts';

const v2 = (method: string, params: unknown = {}) => ({ mmrpc: '2.0', method, params, id: 1 });
/** Refusals of the RPC API by role, token or parameters. */
const REFUSED = /"error_type":"MethodNotAllowed"|Method is not allowed/;

const ask = (target: Target, token: string, body: unknown) =>
	call(target, token, JSON.stringify(body), TRADING_NODE);

async function limitedToken(
	target: Target,
	limits: { methods?: string[]; daemons?: string[] }
): Promise<string> {
	const { account } = await target.person('operator');
	const { token } = await target.auth.tokens.create(
		{
			account,
			name: 'limited',
			role: 'operator',
			...limits
		},
		account
	);
	return token;
}

const SOON = { timeout: 30_000, interval: 50 };

const activation = ({ db }: Target, id: string) =>
	db
		.selectFrom('activations')
		.select(['state', 'task_id', 'open_key'])
		.where('id', '=', id)
		.executeTakeFirstOrThrow();

/**
 * Starts the set-up of the hardware wallet, like a member on the page.
 * @returns the id of the activation
 */
async function setUpBegun(target: Target, { cookie }: Person): Promise<string> {
	const answer = await postForm(target.url, '/kdf?/device', {}, { cookie });
	const text = await answer.text();
	const [, id] = /^\/kdf\/tasks\/([0-9a-f]+)$/.exec(answer.headers.get('location') ?? '') ?? [];
	if (id === undefined) throw new Error(`Nothing was begun: ${answer.status} ${text}`);
	return id;
}

/** Ends it, so that another one can start. */
async function setUpEnded(target: Target, id: string): Promise<void> {
	const { cookie } = await target.person('admin');
	const answer = await postForm(target.url, `/kdf/tasks/${id}?/cancel`, {}, { cookie });
	await answer.body?.cancel();
	await vi.waitFor(async () => expect((await activation(target, id)).open_key).toBeNull(), SOON);
}

export const kdfAttacks: readonly Attack[] = [
	{
		name: 'password-brought-to-the-node',
		class: 'brute force',
		async run(target) {
			const { token } = await target.person('viewer');
			const { status, text } = await ask(target, token, {
				method: 'get_enabled_coins',
				userpass: 'a guess'
			});
			return outcome(status === 200, text);
		}
	},
	{
		name: 'signature-in-a-batch',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await target.person('viewer');
			const { text } = await ask(target, token, [
				{ method: 'get_enabled_coins' },
				v2('sign_message', { coin: 'KMD', message: 'x' }),
				v2('get_enabled_coins', undefined)
			]);
			const answers = JSON.parse(text) as unknown[];
			if (answers.length !== 3) throw new Error('What is allowed did not go on.');
			return outcome(!REFUSED.test(JSON.stringify(answers[1])), text);
		}
	},
	{
		name: 'keys-of-the-trading-node',
		class: 'information disclosure',
		async run(target) {
			const { token } = await target.person('admin');
			const through: string[] = [];
			for (const body of [
				{ method: 'show_priv_key', coin: 'KMD' },
				{ method: 'withdraw', coin: 'KMD', to: 'R9o9xTocqr6CeEDGDH6mEYpwLoMz6jNjMW' },
				v2('get_mnemonic', { format: 'plaintext', password: 'x' }),
				v2('get_private_keys', { coins: ['KMD'] })
			]) {
				const { text } = await ask(target, token, body);
				if (!REFUSED.test(text)) through.push(`${body.method}: ${text}`);
			}
			return outcome(through.length > 0, through.join(' | '));
		}
	},
	{
		name: 'token-beyond-its-node-methods',
		class: 'privilege escalation',
		async run(target) {
			const token = await limitedToken(target, { methods: ['version'] });
			const { status, text } = await ask(target, token, { method: 'get_enabled_coins' });
			return outcome(status === 200, text);
		}
	},
	{
		name: 'token-beyond-its-node',
		class: 'privilege escalation',
		async run(target) {
			const token = await limitedToken(target, { daemons: ['ALPHA'] });
			const { status, text } = await ask(target, token, { method: 'get_enabled_coins' });
			return outcome(status === 200, text);
		}
	},
	{
		name: 'remote-signer-of-an-operator',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await target.person('operator');
			// Contracts of the coins file: others are for admins, whatever the keys are.
			const { swap_contract_address, fallback_swap_contract } = target.devnet.node.coins['ETH']!;
			const { text } = await ask(
				target,
				token,
				v2('enable_eth_with_tokens', {
					ticker: 'ETH',
					nodes: [],
					swap_contract_address,
					fallback_swap_contract,
					erc20_tokens_requests: [],
					priv_key_policy: { type: 'WalletConnect', params: { session_topic: 'ab' } }
				})
			);
			return outcome(!REFUSED.test(text), text);
		}
	},
	{
		name: 'node-sent-to-any-server',
		class: 'SSRF',
		async run(target) {
			const { token } = await target.person('operator');
			const electrum = {
				method: 'electrum',
				coin: 'KMD',
				servers: [{ url: '169.254.169.254:80' }],
				min_connected: 0,
				mm2: 1
			};
			const shielded = v2('task::enable_z_coin::init', {
				ticker: 'ZOMBIE',
				activation_params: {
					mode: {
						rpc: 'Light',
						rpc_data: {
							electrum_servers: [],
							light_wallet_d_servers: ['http://169.254.169.254']
						}
					}
				}
			});
			const through: string[] = [];
			for (const body of [electrum, shielded]) {
				const { text } = await ask(target, token, body);
				if (!REFUSED.test(text)) through.push(`${body.method}: ${text}`);
			}
			return outcome(through.length > 0, through.join(' | '));
		}
	},
	{
		name: 'task-of-another-member',
		class: 'privilege escalation',
		async run(target) {
			const { control } = target.devnet;
			await control.kdfTasks({ hold: true });
			const id = await setUpBegun(target, await target.person('operator'));
			try {
				const task = await vi.waitFor(async () => {
					const { task_id } = await activation(target, id);
					expect(task_id).not.toBeNull();
					return Number(task_id);
				}, SOON);
				const { token } = await target.person('operator', 'none');
				const seen: string[] = [];
				// A status call that reads the result ends the task as well.
				for (const method of ['task::init_trezor::status', 'task::init_trezor::cancel']) {
					const { text } = await ask(target, token, v2(method, { task_id: task }));
					if (!REFUSED.test(text)) seen.push(`${method}: ${text}`);
				}
				return outcome(seen.length > 0, seen.join(' | '), 2);
			} finally {
				await control.kdfTasks({ hold: false });
				await setUpEnded(target, id);
			}
		}
	},
	{
		name: 'activation-after-the-role-is-gone',
		class: 'privilege escalation',
		async run(target) {
			const { db, devnet, auth } = target;
			const { control } = devnet;
			const member = await target.person('operator');
			await control.kdfFault('drop', { method: 'task::init_trezor::init' });
			let id: string;
			try {
				id = await setUpBegun(target, member);
				await vi.waitFor(
					async () => expect((await activation(target, id)).state).toBe('waiting'),
					SOON
				);
			} finally {
				await control.kdfFault('none');
			}
			await auth.members.setRole(null, member.account.id, 'viewer');
			// The next attempt would come some seconds later.
			await db.updateTable('activations').set({ due_at: 1n }).where('id', '=', id).execute();
			const { state } = await vi.waitFor(async () => {
				const row = await activation(target, id);
				expect(['running', 'action', 'failed']).toContain(row.state);
				return row;
			}, SOON);
			await setUpEnded(target, id);
			return outcome(state !== 'failed', state);
		}
	}
];
