// Texts to begin with. All are our own.

export const SAMPLES = [
  ['A first sentence', 'Ada met Bob in Paris. They didn\'t agree that the old bridge, which everyone had photographed, was really beautiful.'],
  ['A short story', `The last ferry had already left when Marta reached the harbour, so she sat down on her suitcase and laughed. "You could've called," said the man who was mending nets beside the wall. He didn't look up.

She told him that the train from Lyon had stopped for two hours near a village whose name nobody knew. Nobody had explained why. A boy had sold lemonade through the windows, and an old woman had sung, not very well, until the engine finally moved again.

"Then stay," he said. "My sister rents a room above the bakery. It smells of bread from four in the morning, but you won't pay much for it."`],
  ['Questions and contractions', 'Who\'s there? Don\'t you think we should\'ve waited? I can\'t see why they\'d go, and she\'s not going to tell us. Let\'s ask Ada\'s brother!'],
  ['Addresses and numbers', 'Write to help@example.org or see https://example.org/docs?page=2 before 3:45 p.m. on 29 November. It costs $1,299.50, about 12% less than in 2024 :-)'],
  ['A long sentence', 'When the committee that had been appointed in the spring finally published the report that so many people had been waiting for, it turned out that most of the recommendations which the experts had made were either already being carried out or so expensive that no government, however willing, would ever be able to pay for them.'],
  ['Right to left', 'وصلت سارة إلى المدينة القديمة قبل غروب الشمس. كتبت رسالة إلى OpenStreetMap عن الطريق الجديد.\n\nהילדה קראה ספר ישן בגן. אחיה הקטן ישן כל הבוקר.'],
]
