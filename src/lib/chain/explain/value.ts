/** What stands in a part of some bytes: a text that is the same in every language, or a code. */
import type { Satoshi } from '../amount.ts';
import type { PayloadLabel } from './label.ts';

/** What an output holds: coins, or units of a token that are kept in its satoshi. */
export type Held = { coins: Satoshi } | { units: bigint };

export type PartValue =
	/** Numbers, hex, addresses and what people wrote into the bytes. */
	| string
	| { code: 'coins'; coins: Satoshi }
	| { code: 'bytes'; bytes: number }
	/** `eval`: the code of a module. */
	| { code: 'module'; eval: number }
	/** `id`: the kind of data that is added to a token's payload. */
	| { code: 'blob'; id: number }
	| { code: 'payload'; of: PayloadLabel }
	/** What an output pays; null when it has no address. */
	| { code: 'paid'; held: Held; address: string | null }
	/** An output of data; null when it holds nothing. */
	| { code: 'data'; held: Held | null }
	| { code: 'coinbase' | 'import' }
	| { code: 'create' | 'transfer' | 'self-import' };
