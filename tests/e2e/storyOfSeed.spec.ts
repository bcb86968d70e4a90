/** The same story on daemons that speak the interface document to the letter. */
import { test } from './support/console.ts';
import { tellTheStory } from './support/story.ts';

test.use({ profile: 'seed' });
tellTheStory('seed');
