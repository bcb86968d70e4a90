import { error } from '@sveltejs/kit';
import { isHash } from '#lib/chain/idText.ts';

/** Returns the id of an address of this site in lower case, or responds 404 with this message. */
export function hashOr404(text: string, message: string): string {
	const id = text.toLowerCase();
	if (!isHash(id)) error(404, message);
	return id;
}
