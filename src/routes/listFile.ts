import { error } from '@sveltejs/kit';
import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import { answering } from '#lib/server/chains/lists/answer.ts';

type Form = 'csv' | 'export';
const FORMS: Readonly<Record<string, Form>> = { csv: 'csv', json: 'export' };

/**
 * A list that members see as a file, of which nobody on the way keeps a copy.
 * @param ending of the file's name; 404 for one that there is not
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
