/** Errors of the queries about notarizations. (Komodo daemon 0.9.0.) */
import type { ErrorPattern } from './entry.ts';

export const notarizationErrors = [
	{ code: 'notarization.range', says: 'calc_MoM illegal height or MoMdepth', turn: 'caller' },
	{ code: 'notarization.height', says: 'height out of range.', turn: 'caller' },
	{ code: 'notarization.no-mom', says: 'no MoM for height', turn: 'notaries' }
] as const satisfies readonly ErrorPattern[];

export type NotarizationErrorCode = (typeof notarizationErrors)[number]['code'];
