/** Why bytes cannot be explained, or a part of them: a code with what its words are made of. */
import type { ParseError } from '../chainError.ts';
import type { PayloadLabel, StructureLabel } from './label.ts';

type None = Readonly<Record<string, never>>;
type ParseFault = ParseError['fault'];

/** What the words of each code are made of. `label`: what the bytes may be. */
export interface ExplainFaultParams {
	empty: None;
	'not-hex': { readonly error: ParseFault };
	/** The likeliest reading ends early. `announced`: the first bytes are those of this thing. */
	stops: {
		readonly label: StructureLabel;
		readonly announced: boolean;
		readonly error: ParseFault;
	};
	/** Bytes that are the id of something. */
	hash: None;
	unknown: { readonly bytes: number };
	/** A part that cannot be read from a byte of the whole input on. */
	part: { readonly from: number; readonly error: ParseFault };
	/** Data of an output whose first byte names a module. */
	payload: { readonly label: PayloadLabel; readonly error: ParseFault };
}

export type ExplainFault = {
	readonly [Code in keyof ExplainFaultParams]: {
		readonly code: Code;
		readonly params: ExplainFaultParams[Code];
	};
}[keyof ExplainFaultParams];
