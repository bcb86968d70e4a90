import { error } from '@sveltejs/kit';
import { HELP_TOPICS } from '#lib/messages/help/index.ts';
import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ params }) => {
	const topic = HELP_TOPICS.get(params.topic) ?? error(404, { message: PLAIN_ANSWERS.notFound });
	return { topic, crumbs: { topic: topic.title } };
};
