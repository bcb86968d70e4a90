/** Reads the fields of the form for EVM chains, one after the other. */
import { bareText } from '#lib/chain/bareText.ts';
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { confirmationsOf, type TokenField } from '#lib/text/tokenFields.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { readUrl, type UrlScheme } from '../egress/target.ts';
import type { EvmNode } from '../coins/parse.ts';
import { contractFault } from './contract.ts';
import type { Plain } from '../client/plain.ts';
import type { EvmField, EvmChoice, EvmTyped, EvmErrors, EvmOffer } from './evmForm.ts';

const MOST_NODES = 32;
const MOST_TOKENS = 200;

/** Reads fields and collects all errors, so that they are shown together. */
export class EvmReader {
	readonly #typed: EvmTyped;
	readonly #offer: EvmOffer;
	readonly errors: EvmErrors = {};

	constructor(typed: EvmTyped, offer: EvmOffer) {
		this.#typed = typed;
		this.#offer = offer;
	}

	#wrong(field: EvmField | EvmChoice | TokenField, words: string): void {
		this.errors[field] ??= words;
	}

	#text(field: EvmField | TokenField): string {
		return bareText(this.#typed[field] ?? '');
	}

	whole(
		field: EvmField | TokenField,
		empty: 'may be empty' | 'needed',
		most = 1_000_000
	): number | null {
		const text = this.#text(field);
		if (text === '' && empty === 'may be empty') return null;
		const value = Number(text);
		if (/^\d{1,9}$/.test(text) && value <= most) return value;
		this.#wrong(field, faults.wholeTo(most));
		return null;
	}

	/** Reads an address with one of these schemes that this server would connect to. */
	#address(field: EvmField, text: string, schemes: readonly UrlScheme[]): string | null {
		try {
			readUrl(text, schemes);
			return text;
		} catch (error) {
			if (!isAppError(error, 'egress')) throw error;
			this.#wrong(field, faults.line.address(text, error.message));
			return null;
		}
	}

	/** Returns the chosen and the entered nodes, each once. */
	nodes(): EvmNode[] {
		const { node: chosen } = this.#typed;
		const { coin, mayName } = this.#offer;
		const known = new Map(coin.nodes.map((one) => [one.url, one]));
		const nodes = [...new Set(chosen)].flatMap((url) => known.get(url) ?? []);
		if (nodes.length < new Set(chosen).size) {
			this.#wrong('node', faults.notOffered.node);
		}
		const lines = this.#typed.free_nodes.split('\n').map(bareText).filter(Boolean);
		if (lines.length > 0 && !mayName) {
			this.#wrong('free_nodes', faults.adminOnly.nodes);
			return nodes;
		}
		for (const line of lines) {
			const [url = '', socket, ...rest] = line.split(/\s+/);
			if (rest.length > 0) {
				this.#wrong('free_nodes', faults.line.node(line));
				continue;
			}
			if (this.#address('free_nodes', url, ['https', 'http']) === null) continue;
			if (socket !== undefined && this.#address('free_nodes', socket, ['wss', 'ws']) === null) {
				continue;
			}
			if (!nodes.some((one) => one.url === url)) {
				nodes.push({ url, ...(socket === undefined ? {} : { ws_url: socket }) });
			}
		}
		if (nodes.length === 0 && this.errors.free_nodes === undefined) {
			this.#wrong('node', faults.needed.node(coin.ticker));
		}
		if (nodes.length > MOST_NODES) this.#wrong('node', faults.most.nodes(MOST_NODES));
		return nodes;
	}

	#contract(field: EvmField): string | null {
		const text = this.#text(field);
		if (text === '') {
			this.#wrong(field, faults.needed.contract);
			return null;
		}
		const fault = contractFault(text, this.#offer);
		if (fault === null) return text;
		this.#wrong(field, fault);
		return null;
	}

	/** Swap contracts. */
	contracts(): { [name: string]: Plain } {
		return {
			swap_contract_address: this.#contract('swap_contract_address'),
			fallback_swap_contract: this.#contract('fallback_swap_contract')
		};
	}

	/** Contracts of the second swap protocol: all or none. */
	secondContracts(): { [name: string]: Plain } {
		const second = [
			'maker_swap_v2_contract',
			'taker_swap_v2_contract',
			'nft_maker_swap_v2_contract'
		] as const;
		const some = second.some((name) => this.#text(name) !== '');
		if (!some) return {};
		return {
			swap_v2_contracts: Object.fromEntries(second.map((name) => [name, this.#contract(name)]))
		};
	}

	tokens(): Plain[] {
		const known = new Set(this.#offer.tokens.map(({ ticker }) => ticker));
		const chosen = [...new Set(this.#typed.token)];
		if (chosen.some((ticker) => !known.has(ticker))) {
			this.#wrong('token', faults.notOffered.token);
		}
		if (chosen.length > MOST_TOKENS) {
			this.#wrong('token', faults.most.tokens(MOST_TOKENS));
		}
		const ofAll = this.whole('token_confirmations', 'may be empty');
		return chosen.map((ticker) => {
			const confirmations = this.whole(confirmationsOf(ticker), 'may be empty') ?? ofAll;
			return {
				ticker,
				...(confirmations === null ? {} : { required_confirmations: confirmations })
			};
		});
	}

	/**
	 * The gas station, which is queried for the gas price. Its address is entered freely, so only by an admin.
	 */
	gasStation(): { [name: string]: Plain } {
		const url = this.#text('gas_station_url');
		if (url === '') return {};
		if (!this.#offer.mayName) {
			this.#wrong('gas_station_url', faults.adminOnly.gasStation);
			return {};
		}
		this.#address('gas_station_url', url, ['https', 'http']);
		const policy = this.#typed.gas_station_policy;
		if (policy !== 'MeanAverageFast' && policy !== 'Average') {
			this.#wrong('gas_station_policy', faults.notOffered.one);
		}
		return {
			gas_station_url: url,
			gas_station_decimals: this.whole('gas_station_decimals', 'needed', 18) ?? 8,
			gas_station_policy: { policy }
		};
	}

	/** The provider of NFT data; null for none. */
	nftProvider(needed: boolean): { provider: Plain } | null {
		const url = this.#text('nft_url');
		if (url === '' && !needed) return null;
		if (url === '') {
			this.#wrong('nft_url', faults.needed.nftProvider);
			return null;
		}
		if (!this.#offer.mayName) {
			this.#wrong('nft_url', faults.adminOnly.nftProvider);
			return null;
		}
		this.#address('nft_url', url, ['https', 'http']);
		return { provider: { type: 'NftIndexer', info: { url } } };
	}

	key(): { [name: string]: Plain } {
		switch (this.#typed.key) {
			case '':
			case 'node':
				return { priv_key_policy: { type: 'ContextPrivKey' } };
			case 'hardware':
				return { priv_key_policy: { type: 'HardwareWallet' } };
			case 'remote': {
				const session = this.#text('session');
				if (!this.#offer.mayName) this.#wrong('key', faults.adminOnly.remoteSigner);
				else if (session === '') {
					this.#wrong('session', faults.needed.session);
				} else if (this.#offer.sessions === null) {
					this.#wrong('session', faults.session.unknown);
				} else if (!this.#offer.sessions.includes(session)) {
					this.#wrong('session', faults.session.ended);
				}
				return { priv_key_policy: { type: 'RemoteSigner', session } };
			}
			default:
				this.#wrong('key', faults.notOffered.key);
				return {};
		}
	}

	/** The address in an HD wallet; no parameters when all parts are empty. */
	path(): { [name: string]: Plain } {
		const account = this.whole('account_id', 'may be empty');
		const address = this.whole('address_id', 'may be empty');
		const side = this.#text('chain');
		if (!['', 'External', 'Internal'].includes(side)) this.#wrong('chain', faults.notOffered.chain);
		if (account === null && address === null && side === '') return {};
		return {
			path_to_address: {
				account_id: account ?? 0,
				chain: side === 'Internal' ? 'Internal' : 'External',
				address_id: address ?? 0
			}
		};
	}

	mm2(): number {
		const text = this.#typed.mm2;
		if (text === '0' || text === '1') return Number(text);
		this.#wrong('mm2', faults.needed.mm2(this.#offer.coin.ticker));
		return 0;
	}

	rpcMode(): string {
		const mode = this.#typed.rpc_mode;
		if (mode !== 'Default' && mode !== 'BrowserWallet') {
			this.#wrong('rpc_mode', faults.notOffered.one);
		}
		return mode;
	}

	confirmations(): { required_confirmations: number; requires_notarization: boolean } {
		return {
			required_confirmations: this.whole('required_confirmations', 'needed') ?? 0,
			requires_notarization: this.#typed.requires_notarization === 'yes'
		};
	}

	flag(name: 'get_balances' | 'tx_history'): boolean {
		return this.#typed[name] === 'yes';
	}
}
