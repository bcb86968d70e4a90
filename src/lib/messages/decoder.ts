/** Why bytes cannot be decoded, as sentences. */
import type { ExplainFault, ExplainFaultParams } from '#lib/chain/explain/fault.ts';
import { plural } from '#lib/text/plural.ts';
import { chainErrorMessage } from './chainErrors.ts';

function stops({ label, announced, error }: ExplainFaultParams['stops']): string {
	const like = announced ? 'starts like' : 'reads longest as';
	const name = label.toLowerCase();
	const article = name === 'payouts' ? '' : /^[aio]/.test(name) ? 'an ' : 'a ';
	return `This ${like} ${article}${name}, but stops making sense at byte ${error.params.offset}. ${chainErrorMessage(error)}`;
}

/** Why a text or a part of it cannot be explained. */
export function explainFaultMessage({ code, params }: ExplainFault): string {
	switch (code) {
		case 'empty':
			return 'There is nothing to decode: the text is empty.';
		case 'not-hex':
			return `This is not hex. ${chainErrorMessage(params.error)}`;
		case 'stops':
			return stops(params);
		case 'hash':
			return 'These 32 bytes are a hash, for example the id of a transaction or a block. It holds nothing to decode: search for it instead.';
		case 'unknown':
			return `These ${plural(params.bytes, 'byte')} are nothing that is known here: no transaction, block, proof, payload, payouts or script.`;
		case 'part':
			return `It cannot be read from byte ${params.from} on. ${chainErrorMessage(params.error)}`;
		case 'payload':
			return `Starts like a ${params.label}, but cannot be read as one. ${chainErrorMessage(params.error)}`;
	}
}
