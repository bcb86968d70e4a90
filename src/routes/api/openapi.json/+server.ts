import { jsonAnswer } from '#lib/server/api/answer.ts';
import { openApi } from '#lib/server/api/openapi.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = ({ url }) => jsonAnswer(openApi(url.origin));
