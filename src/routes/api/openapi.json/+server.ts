import { openApi } from '#lib/server/api/openapi.ts';
import { jsonAnswer } from '#lib/server/chains/lists/answer.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = ({ locals }) => jsonAnswer(openApi(locals.app.auth.origin));
