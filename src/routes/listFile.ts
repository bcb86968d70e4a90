import { error } from '@sveltejs/kit';
import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import { answering } from '#lib/server/chains/lists/answer.ts';

type Form = 'csv' | 'export';
const FORMS: Readonly<Record<string, Form>> = { csv: 'csv', json: 'export' };

/**
 * Responds with a list as a file that no proxy stores.
 * @param ending extension of the file name; an unknown one yields 404
 */
export function listFile(
	{ requestId }: App.Locals,
	ending: string,
	write: (form: Form) => Promise<Response>
): Promise<Response> {
	const form = Object.hasOwn(FORMS, ending)
		? FORMS[ending]!
		: error(404, { message: PLAIN_ANSWERS.notFound });
	return answering(requestId, async () => {
		const answer = await write(form);
		answer.headers.set('cache-control', 'private, no-store');
		return answer;
	});
}
