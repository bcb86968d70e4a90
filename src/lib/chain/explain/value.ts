/** The value of an explained part: a language-independent text, or a code. */
import type { Satoshi } from '../amount.ts';
import type { PayloadLabel } from './label.ts';

/** Value of an output: coins, or base units of a token, which are stored as satoshi. */
export type Held = { coins: Satoshi } | { units: bigint };

export type PartValue =
	/** Numbers, hex, addresses and texts that users stored in the bytes. */
	| string
	| { code: 'coins'; coins: Satoshi }
	| { code: 'bytes'; bytes: number }
	/** `eval`: eval code of a module. */
	| { code: 'module'; eval: number }
	/** `id`: kind of the blob in a token's payload. */
	| { code: 'blob'; id: number }
	| { code: 'payload'; of: PayloadLabel }
	/** A payment; `address` is null when the script has none. */
	| { code: 'paid'; held: Held; address: string | null }
	/** An OP_RETURN output; `held` is null when its value is zero. */
	| { code: 'data'; held: Held | null }
	| { code: 'coinbase' | 'import' }
	| { code: 'create' | 'transfer' | 'self-import' };
