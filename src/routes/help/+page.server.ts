import { HELP_TOPICS } from '#lib/messages/help/index.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = () => ({
	topics: [...HELP_TOPICS].map(([id, { title, lead }]) => ({ id, title, lead }))
});
