import type { ClientInit } from '@sveltejs/kit';
import { keepPageWhileServerIsAway } from '#lib/ui/live/steadyFetch.ts';

export const init: ClientInit = () => keepPageWhileServerIsAway();
