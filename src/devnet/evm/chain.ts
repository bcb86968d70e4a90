import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';

/** An error that a node of the chain returns. */
export class EvmError extends Error {
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.name = 'EvmError';
		this.code = code;
	}
}

export const noSuchMethod = (method: string): EvmError =>
	new EvmError(-32601, `the method ${method} does not exist/is not available`);

interface EvmToken {
	ticker: string;
	/** Contract address, lower case. */
	contract: string;
	decimals: number;
	/** Balances in smallest units by lower-case address. */
	balances: ReadonlyMap<string, bigint>;
}

export interface Nft {
	token_address: string;
	token_id: string;
	contract_type: 'ERC721' | 'ERC1155';
	amount: string;
	name: string;
	symbol: string;
	token_uri: string;
}

interface EvmState {
	/** Balances in wei by lower-case address. */
	balances: ReadonlyMap<string, bigint>;
	tokens: readonly EvmToken[];
	/** NFTs by lower-case address of the owner. */
	nfts: ReadonlyMap<string, readonly Nft[]>;
	/** Unix seconds. */
	startedAt: number;
	clock: () => number;
}

const FIRST_BLOCK = 20_590_000;
const BLOCK_SECONDS = 12;

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

/** Encodes a text as a contract returns it (ABI). */
const textWord = (text: string): string => {
	const bytes = Buffer.from(text, 'utf8');
	const length = Math.ceil(bytes.length / 32) * 64;
	return `${word(32n)}${word(BigInt(bytes.length)).slice(2)}${bytes.toString('hex').padEnd(length, '0')}`;
};

const addressAt = (params: readonly JsonValue[], index: number): string => {
	const value = params[index];
	if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase();
	throw new EvmError(-32602, `invalid argument ${index}: expected an address`);
};

/** A small EVM chain with fixed balances that executes nothing: enough for a wallet to display. */
export class EvmChain {
	readonly #state: EvmState;

	constructor(state: EvmState) {
		this.#state = state;
	}

	get height(): number {
		const { clock, startedAt } = this.#state;
		return FIRST_BLOCK + Math.max(0, Math.floor((clock() - startedAt) / BLOCK_SECONDS));
	}

	nfts(address: string): readonly Nft[] {
		return this.#state.nfts.get(address.toLowerCase()) ?? [];
	}

	/** Runs a JSON-RPC method. @throws {EvmError} */
	call(method: string, params: readonly JsonValue[], chainId: number): JsonValue {
		switch (method) {
			case 'web3_clientVersion':
				return 'KomodeckDevnet/v1.0.0';
			case 'eth_chainId':
				return hex(chainId);
			case 'net_version':
				return String(chainId);
			case 'net_listening':
				return true;
			case 'eth_syncing':
				return false;
			case 'eth_blockNumber':
				return hex(this.height);
			case 'eth_gasPrice':
				return hex(1_500_000_000);
			case 'eth_getTransactionCount':
				return hex(0);
			case 'eth_getBalance':
				return hex(this.#state.balances.get(addressAt(params, 0)) ?? 0n);
			case 'eth_getCode':
				return this.#token(addressAt(params, 0)) ? '0x6080' : '0x';
			case 'eth_call':
				return this.#read(params[0]);
			default:
				throw noSuchMethod(method);
		}
	}

	#token(contract: string): EvmToken | undefined {
		return this.#state.tokens.find((token) => token.contract === contract);
	}

	/** Evaluates a call of a token contract's view functions. */
	#read(call: JsonValue | undefined): JsonValue {
		if (!isJsonObject(call)) throw new EvmError(-32602, 'invalid argument 0');
		const token = this.#token(addressAt([call['to'] ?? null], 0));
		const data = String(call['data'] ?? call['input'] ?? '').toLowerCase();
		if (!token) return '0x';
		switch (data.slice(0, 10)) {
			case '0x70a08231':
				return word(token.balances.get(`0x${data.slice(34, 74)}`) ?? 0n);
			case '0x313ce567':
				return word(BigInt(token.decimals));
			case '0x95d89b41':
			case '0x06fdde03':
				return textWord(token.ticker.split('-')[0]!);
			case '0x18160ddd':
				return word([...token.balances.values()].reduce((sum, one) => sum + one, 0n));
			default:
				throw new EvmError(3, 'execution reverted');
		}
	}
}
