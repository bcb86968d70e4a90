/** Attacks on the trading node through the RPC API for scripts. */
import { TRADING_NODE } from '#lib/server/platform/config/discover.ts';
import { outcome, type Attack } from './attack.ts';
import { call, type Target } from './target.ts';

const v2 = (method: string, params: unknown = {}) => ({ mmrpc: '2.0', method, params, id: 1 });
/** As the RPC API refuses by role, token or parameters. */
const REFUSED = /"error_type":"MethodNotAllowed"|Method is not allowed/;

const ask = (target: Target, token: string, body: unknown) =>
	call(target, token, JSON.stringify(body), TRADING_NODE);

async function limitedToken(
	target: Target,
	limits: { methods?: string[]; daemons?: string[] }
): Promise<string> {
	const { account } = await target.person('operator');
	const { token } = await target.auth.tokens.create({
		account,
		name: 'limited',
		role: 'operator',
		...limits
	});
	return token;
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
			const { text } = await ask(
				target,
				token,
				v2('enable_eth_with_tokens', {
					ticker: 'ETH',
					nodes: [],
					swap_contract_address: `0x${'1'.repeat(40)}`,
					fallback_swap_contract: `0x${'2'.repeat(40)}`,
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
	}
];
