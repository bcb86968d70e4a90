import { describe, expect, it } from 'vitest';
import { factsOf } from '../holdings/balances.ts';
import { readCoins } from '../coins/parse.ts';
import { evmTypedOf, initialEvm, type EvmOffer, type EvmTyped } from './evmForm.ts';
import { readEvmForm } from './readEvmForm.ts';
import { pathOfParts, readParts } from '../signing/signingPath.ts';

const SWAP = '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80';
const SPARE = '0x8500AFc0bc5214728082163326C2FF0C73f4a871';
/** `SWAP` with one digit changed. */
const MISTYPED = SWAP.replace('c7', 'c8');
const ADDRESS = '0x083C32B38e8050473f6999e22f670d1404235592';
const { coins } = readCoins({
	ETH: {
		coin: 'ETH',
		mm2: 1,
		required_confirmations: 3,
		derivation_path: "m/44'/60'",
		protocol: { type: 'ETH', protocol_data: { chain_id: 1 } },
		nodes: [
			{ url: 'https://node.example:8545', ws_url: 'wss://node.example:8546' },
			{ url: 'ftp://x' }
		],
		swap_contract_address: SWAP,
		fallback_swap_contract: SPARE
	},
	USDC: {
		coin: 'USDC-ERC20',
		protocol: { type: 'ERC20', protocol_data: { platform: 'ETH', contract_address: ADDRESS } }
	}
});
const [eth, usdc] = coins as [(typeof coins)[0], (typeof coins)[0]];
const offer = (change: Partial<EvmOffer> = {}): EvmOffer => ({
	coin: eth,
	method: 'enable_eth_with_tokens',
	tokens: [usdc],
	sessions: ['topic-1'],
	mayName: true,
	...change
});
const read = (change: Partial<EvmTyped> = {}, more: Partial<EvmOffer> = {}) => {
	const given = offer(more);
	return readEvmForm({ ...initialEvm(given), ...change }, given);
};
const faults = (change: Partial<EvmTyped>, more: Partial<EvmOffer> = {}) => {
	const answer = read(change, more);
	return answer.ok ? {} : answer.errors;
};

describe('the form of an EVM platform', () => {
	it('sends everything that a version might take for granted otherwise', () => {
		expect(read({ token: ['USDC-ERC20'] })).toEqual({
			ok: true,
			params: {
				ticker: 'ETH',
				nodes: [{ url: 'https://node.example:8545', ws_url: 'wss://node.example:8546' }],
				swap_contract_address: SWAP,
				fallback_swap_contract: SPARE,
				erc20_tokens_requests: [{ ticker: 'USDC-ERC20', required_confirmations: 3 }],
				get_balances: true,
				mm2: 1,
				priv_key_policy: { type: 'ContextPrivKey' },
				required_confirmations: 3,
				requires_notarization: false,
				rpc_mode: 'Default',
				tx_history: false
			}
		});
	});

	it('asks for each token with its own confirmations, those of the coins file unless others are typed', () => {
		const { coins: tokens } = readCoins([
			{ coin: 'DAI', required_confirmations: 20, protocol: { type: 'ERC20' } },
			{ coin: 'PLAIN', protocol: { type: 'ERC20' } },
			{ coin: 'TYPED', required_confirmations: 5, protocol: { type: 'ERC20' } }
		]);
		const form = new FormData();
		const given = offer({ tokens });
		for (const [name, value] of Object.entries(initialEvm(given))) {
			for (const one of [value].flat()) form.append(name, one ?? '');
		}
		for (const ticker of ['DAI', 'PLAIN', 'TYPED']) form.append('token', ticker);
		form.set('confirmations:TYPED', '0');
		expect(readEvmForm(evmTypedOf(form), given)).toMatchObject({
			params: {
				erc20_tokens_requests: [
					{ ticker: 'DAI', required_confirmations: 20 },
					{ ticker: 'PLAIN', required_confirmations: 3 },
					{ ticker: 'TYPED', required_confirmations: 0 }
				]
			}
		});
		form.set('confirmations:TYPED', 'few');
		expect(readEvmForm(evmTypedOf(form), given)).toMatchObject({
			errors: { 'confirmations:TYPED': expect.stringMatching(/whole number/) as string }
		});
	});

	it('takes the older call, a token and NFTs with what they need', () => {
		expect(read({}, { method: 'enable' })).toMatchObject({
			params: { coin: 'ETH', urls: ['https://node.example:8545'], mm2: 1 }
		});
		for (const method of ['enable_erc20', 'task::enable_erc20'] as const) {
			expect(read({}, { method, coin: usdc })).toEqual({
				ok: true,
				params: { ticker: 'USDC-ERC20', activation_params: { required_confirmations: 3 } }
			});
		}
		expect(read({ nft_url: 'https://nft.example' }, { method: 'enable_nft' })).toMatchObject({
			params: {
				activation_params: {
					provider: { type: 'NftIndexer', info: { url: 'https://nft.example' } }
				}
			}
		});
		expect(faults({}, { method: 'enable_nft' })).toHaveProperty('nft_url');
	});

	it.each([
		['node', { node: [] }, /at least one node/],
		['node', { node: ['https://elsewhere.example'] }, /no longer in the coins file/],
		['free_nodes', { free_nodes: 'node.example' }, /begins with https:\/\/ or http:\/\//],
		['free_nodes', { free_nodes: 'https://a.example https://b.example' }, /wss:\/\/ or ws:\/\//],
		['free_nodes', { free_nodes: 'https://u:p@a.example' }, /Leave the login out/],
		['swap_contract_address', { swap_contract_address: '' }, /does not have it/],
		['swap_contract_address', { swap_contract_address: 'RVroT1' }, /40 hexadecimal digits/],
		['fallback_swap_contract', { fallback_swap_contract: `0x${'0'.repeat(40)}` }, /zero address/],
		['swap_contract_address', { swap_contract_address: MISTYPED }, /checksum mismatch/],
		['maker_swap_v2_contract', { maker_swap_v2_contract: MISTYPED }, /checksum mismatch/],
		['taker_swap_v2_contract', { maker_swap_v2_contract: SWAP }, /does not have it/],
		['token', { token: ['DOGE-ERC20'] }, /no longer in the coins file/],
		['token_confirmations', { token_confirmations: '-1' }, /whole number/],
		['gas_station_url', { gas_station_url: 'gas' }, /Enter a whole address/],
		[
			'gas_station_decimals',
			{ gas_station_url: 'https://gas.example', gas_station_decimals: '19' },
			/0 to 18/
		],
		['session', { key: 'remote' }, /Choose a connection/],
		['session', { key: 'remote', session: 'topic-2' }, /has ended/],
		['account_id', { account_id: 'first' }, /whole number/],
		['mm2', { mm2: '2' }, /choose one/],
		['rpc_mode', { rpc_mode: 'Loud' }, /one of the two/],
		['required_confirmations', { required_confirmations: '' }, /whole number/]
	] as const)('says at the field %s what is wrong with it: %o', (field, change, sentence) => {
		const errors = faults(change as Partial<EvmTyped>);
		expect(errors[field]).toMatch(sentence);
	});

	it('takes no connection for ended while the node does not tell its connections', () => {
		const { session } = faults({ key: 'remote', session: 'topic-1' }, { sessions: null });
		expect(session).toMatch(/does not say whether this connection/);
	});

	it('keeps addresses and keys that are in no list to admins', () => {
		const own = { mayName: false };
		// In the spelling of the coins file, or in another one.
		expect(faults({ swap_contract_address: SWAP.toLowerCase() }, own)).toEqual({});
		for (const field of ['swap_contract_address', 'fallback_swap_contract'] as const) {
			expect(faults({ [field]: ADDRESS })).toEqual({});
			expect(faults({ [field]: ADDRESS }, own)).toEqual({
				[field]: 'Only an admin may enter a contract that is not in the coins file.'
			});
		}
		expect(faults({ free_nodes: 'https://a.example' }, own)).toHaveProperty('free_nodes');
		expect(faults({ gas_station_url: 'https://a.example' }, own)).toHaveProperty('gas_station_url');
		expect(faults({ nft_url: 'https://a.example' }, own)).toHaveProperty('nft_url');
		expect(faults({ key: 'remote', session: 'topic-1' }, own)).toHaveProperty('key');
		expect(read({ key: 'remote', session: 'topic-1' })).toMatchObject({
			params: { priv_key_policy: { type: 'RemoteSigner', session: 'topic-1' } }
		});
	});
});

describe('the result of an EVM platform', () => {
	const address = { derivation_method: { type: 'Iguana' }, pubkey: `04${'ab'.repeat(64)}` };
	const nft = {
		token_address: '0xaaaa',
		token_id: '7',
		chain: 'ETH',
		contract_type: 'ERC1155',
		amount: '3'
	};
	const balances = { spendable: '1.5', unspendable: '0' };

	it('is read with balances, and NFTs as an object', () => {
		const facts = factsOf('ETH', {
			current_block: 9,
			eth_addresses_infos: { [ADDRESS]: { ...address, balances } },
			erc20_addresses_infos: { [ADDRESS]: { ...address, balances: { 'USDC-ERC20': balances } } },
			nfts_infos: { '0xaaaa,7': nft }
		});
		expect(facts.block).toBe(9);
		expect(facts.lines.map(({ ticker, spendable }) => `${spendable} ${ticker}`)).toEqual([
			'1.5 ETH',
			'1.5 USDC-ERC20'
		]);
		expect(facts.nfts).toEqual([
			{ address: '0xaaaa', id: '7', chain: 'ETH', type: 'ERC1155', amount: '3' }
		]);
		expect(facts.keys).toEqual([
			{ address: ADDRESS, pubkey: address.pubkey, derivation: 'Iguana' }
		]);
	});

	it('is read without balances, and NFTs as a list', () => {
		const facts = factsOf('ETH', {
			current_block: 9,
			eth_addresses_infos: { [ADDRESS]: address },
			erc20_addresses_infos: { [ADDRESS]: { ...address, tickers: ['USDC-ERC20'] } },
			nfts_infos: [nft]
		});
		expect(facts.lines).toEqual([]);
		expect(facts.tickers).toEqual(['USDC-ERC20']);
		expect(facts.nfts).toHaveLength(1);
	});

	it('is read of a wallet of many addresses, with and without balances', () => {
		const account = (one: object, total: object) => ({
			account_index: 0,
			derivation_path: "m/44'/60'/0'",
			...total,
			addresses: [
				{ address: ADDRESS, derivation_path: "m/44'/60'/0'/0/0", chain: 'External', ...one }
			]
		});
		const wallet = (one: object, total: object) => ({
			current_block: 9,
			ticker: 'ETH',
			wallet_balance: { wallet_type: 'HD', accounts: [account(one, total)] },
			nfts_infos: {}
		});
		const map = { ETH: balances };
		const full = factsOf('ETH', wallet({ balance: map }, { total_balance: map }));
		expect(full.lines).toEqual([
			{ address: ADDRESS, path: "m/44'/60'/0'/0/0", ticker: 'ETH', ...balances }
		]);
		expect(full.accounts).toEqual([
			{ index: 0, path: "m/44'/60'/0'", addresses: 1, total: [{ ticker: 'ETH', ...balances }] }
		]);
		const bare = factsOf('ETH', wallet({}, {}));
		expect(bare.lines).toMatchObject([{ address: ADDRESS, spendable: '' }]);
		expect(bare.accounts[0]!.total).toEqual([]);
	});

	it('is read of a single token, of NFTs, and of older builds', () => {
		expect(
			factsOf('USDC-ERC20', {
				balances: { [ADDRESS]: balances },
				platform_coin: 'ETH',
				token_contract_address: SWAP,
				required_confirmations: 3
			})
		).toMatchObject({
			platform: 'ETH',
			contract: SWAP,
			lines: [{ address: ADDRESS, ticker: 'USDC-ERC20', spendable: '1.5' }]
		});
		expect(factsOf('NFT_ETH', { nfts: {}, platform_coin: 'ETH' })).toMatchObject({
			platform: 'ETH',
			nfts: []
		});
		expect(
			factsOf('ETH', { result: 'success', address: ADDRESS, balance: '2', locked_by_swaps: '0.5' })
		).toMatchObject({ lockedBySwaps: '0.5', lines: [{ ticker: 'ETH', spendable: '2' }] });
		expect(factsOf('KMD', { address: 'R', balance: '2', mature_confirmations: 100 })).toMatchObject(
			{ maturity: 100 }
		);
	});
});

describe('the place of an address in a wallet', () => {
	it('names the same address as its path', () => {
		const parts = readParts({ account_id: '2', chain: 'Internal', address_id: '5' });
		expect(parts).toEqual({
			ok: true,
			parts: { account_id: 2, chain: 'Internal', address_id: 5 }
		});
		expect(parts.ok && parts.parts && pathOfParts(eth, parts.parts)).toBe("m/44'/60'/2'/1/5");
	});

	it('takes numbers that were pasted with blanks or characters without width', () => {
		const pasted = { account_id: '\u200b5', chain: '', address_id: ' 7\u200e' };
		expect(readParts(pasted)).toEqual({
			ok: true,
			parts: { account_id: 5, chain: 'External', address_id: 7 }
		});
		expect(readParts({ ...pasted, account_id: '\u200b' })).toMatchObject({
			parts: { account_id: 0 }
		});
	});

	it('takes a part that is left out for the first, and nothing at all for no choice', () => {
		expect(readParts({ account_id: '1', chain: '', address_id: '' })).toEqual({
			ok: true,
			parts: { account_id: 1, chain: 'External', address_id: 0 }
		});
		expect(readParts({ account_id: '', chain: '', address_id: ' ' })).toEqual({
			ok: true,
			parts: null
		});
		expect(readParts({ account_id: '', chain: '', address_id: '-1' })).toMatchObject({
			ok: false,
			field: 'address_id',
			fault: 'index'
		});
	});
});
