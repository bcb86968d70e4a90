/** States of burns in a block of which no import is known. */
import type { MissingImport } from '#lib/text/shownTransfer.ts';

export const MISSING_IMPORT: Readonly<Record<MissingImport, string>> = {
	open: 'Not imported yet',
	unconfigured: 'Unknown: destination not configured',
	unseen: 'Unknown: not all blocks indexed'
};
