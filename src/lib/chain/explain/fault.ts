/** Why bytes, or a part of them, cannot be explained: a code with the parameters of its message. */
import type { ParseError } from '../chainError.ts';
import type { PayloadLabel, StructureLabel } from './label.ts';

type None = Readonly<Record<string, never>>;
type ParseFault = ParseError['fault'];

/** Parameters of the message of each code. `label`: the structure that the bytes may be. */
export interface ExplainFaultParams {
	empty: None;
	'not-hex': { readonly error: ParseFault };
	/**
	 * The likeliest reading fails before the end. `announced`: the first bytes are typical of this structure.
	 */
	stops: {
		readonly label: StructureLabel;
		readonly announced: boolean;
		readonly error: ParseFault;
	};
	/** 32 bytes, such as a txid or block hash, which cannot be looked up here. */
	hash: None;
	unknown: { readonly bytes: number };
	/** A part cannot be parsed from this byte of the whole input on. */
	part: { readonly from: number; readonly error: ParseFault };
	/** An OP_RETURN payload whose first byte names a module, but which does not parse as that module's. */
	payload: { readonly label: PayloadLabel; readonly error: ParseFault };
}

export type ExplainFault = {
	readonly [Code in keyof ExplainFaultParams]: {
		readonly code: Code;
		readonly params: ExplainFaultParams[Code];
	};
}[keyof ExplainFaultParams];
