package demo

// The groups, as the page's filters name them.
const (
	breakfast = "breakfast"
	noodles   = "noodles"
	rice      = "rice"
	byHand    = "by hand"
	soups     = "soups and stews"
	seafood   = "from the sea"
	roasts    = "roasts and grills"
	greens    = "greens"
	fruit     = "fruit"
	snacks    = "snacks"
	sweets    = "sweets"
	drinks    = "drinks"
)

// The planted tastes, one hidden unit each.
const (
	sweet   = iota // a sweet tooth: cakes, chocolate, fruit
	hot            // likes it hot: chillies, curries
	sea            // fish and what lives in shells
	meat           // roasts and smoke
	green          // light and fresh: leaves, pulses, fruit
	umami          // broth, noodles and rice of East Asia
	comfort        // cheese, dough and what comes from the fryer
	strong         // bitter, sour, fermented
	tastes
)

// weights is how much each taste lifts a food in the lists of those who have it.
type weights [tastes]float64

// food is a line of the table: worth is what everybody thinks of it, fame how often it was tried, from 1 to 10.
type food struct {
	Item
	worth float64
	fame  float64
	weights
}

// foods is the catalogue. Soft hyphens say where a long word may break.
var foods = []food{
	{Item{"pancakes", "Pan\u00adcakes", "🥞", breakfast}, 1.0, 9, weights{sweet: 2, comfort: 1}},
	{Item{"waffles", "Waffles", "🧇", breakfast}, 0.9, 7, weights{sweet: 2, comfort: 1}},
	{Item{"croissant", "Crois\u00adsant", "🥐", breakfast}, 1.0, 9, weights{comfort: 1, sweet: 1}},
	{Item{"bagel", "Bagel", "🥯", breakfast}, 0.2, 6, weights{comfort: 1}},
	{Item{"fried-eggs", "Fried eggs", "🍳", breakfast}, 0.4, 10, weights{comfort: 1, meat: 1}},
	{Item{"boiled-egg", "Boiled egg", "🥚", breakfast}, -0.3, 10, weights{green: 1}},
	{Item{"porridge", "Porridge", "🥣", breakfast}, -0.8, 7, weights{green: 2, sweet: 1}},
	{Item{"buttered-toast", "Buttered toast", "🍞", breakfast}, 0.1, 10, weights{comfort: 2}},
	{Item{"bacon", "Bacon", "🥓", breakfast}, 0.7, 9, weights{meat: 3, comfort: 1, green: -1}},
	{Item{"avocado-toast", "Avocado toast", "🥑", breakfast}, 0.2, 6, weights{green: 3}},

	{Item{"ramen", "Ramen", "🍜", noodles}, 1.1, 8, weights{umami: 3, meat: 1}},
	{Item{"pho", "Pho", "🍜", noodles}, 0.6, 5, weights{umami: 3, hot: 1, green: 1}},
	{Item{"udon", "Udon", "🍜", noodles}, 0.4, 4, weights{umami: 3}},
	{Item{"dan-dan-noodles", "Dan dan noodles", "🍜", noodles}, 0.0, 3, weights{hot: 3, umami: 2}},
	{Item{"pad-thai", "Pad thai", "🍜", noodles}, 0.7, 6, weights{umami: 2, hot: 1, sea: 1}},
	{Item{"fried-noodles", "Fried noodles", "🥡", noodles}, 0.5, 8, weights{umami: 2, comfort: 1}},
	{Item{"dumplings", "Dump\u00adlings", "🥟", noodles}, 0.9, 7, weights{umami: 3, meat: 1}},
	{Item{"spaghetti", "Spa\u00adghetti", "🍝", noodles}, 0.8, 10, weights{comfort: 2, meat: 1}},
	{Item{"carbonara", "Carbo\u00adnara", "🍝", noodles}, 0.9, 7, weights{comfort: 3, meat: 1}},
	{Item{"lasagne", "Lasagne", "🍝", noodles}, 0.9, 9, weights{comfort: 3, meat: 1}},
	{Item{"mac-and-cheese", "Mac and cheese", "🧀", noodles}, 0.4, 6, weights{comfort: 3, strong: -1}},

	{Item{"sushi", "Sushi", "🍣", rice}, 1.1, 8, weights{sea: 3, umami: 2}},
	{Item{"onigiri", "Onigiri", "🍙", rice}, 0.4, 4, weights{umami: 2, sea: 1}},
	{Item{"bento-box", "Bento box", "🍱", rice}, 0.5, 4, weights{umami: 3, sea: 1}},
	{Item{"fried-rice", "Fried rice", "🍚", rice}, 0.5, 8, weights{umami: 2, comfort: 1}},
	{Item{"bibimbap", "Bibim\u00adbap", "🍚", rice}, 0.4, 4, weights{umami: 2, hot: 3}},
	{Item{"curry-and-rice", "Curry and rice", "🍛", rice}, 0.7, 8, weights{hot: 3, umami: 1}},
	{Item{"biryani", "Biryani", "🍛", rice}, 0.6, 5, weights{hot: 3}},
	{Item{"paella", "Paella", "🥘", rice}, 0.6, 6, weights{sea: 3}},
	{Item{"mushroom-risotto", "Mush\u00adroom risotto", "🍄", rice}, 0.2, 6, weights{comfort: 2, strong: 1, green: 1}},
	{Item{"rice-crackers", "Rice crackers", "🍘", rice}, -0.6, 5, weights{umami: 2}},

	{Item{"pizza", "Pizza", "🍕", byHand}, 1.6, 10, weights{comfort: 3}},
	{Item{"burger", "Burger", "🍔", byHand}, 1.2, 10, weights{meat: 2, comfort: 2, green: -1}},
	{Item{"chips", "Chips", "🍟", byHand}, 1.1, 10, weights{comfort: 3, green: -1}},
	{Item{"hot-dog", "Hot dog", "🌭", byHand}, 0.0, 9, weights{meat: 2, comfort: 1, green: -1}},
	{Item{"tacos", "Tacos", "🌮", byHand}, 1.1, 8, weights{hot: 3, meat: 1}},
	{Item{"burrito", "Burrito", "🌯", byHand}, 0.8, 8, weights{hot: 3, meat: 1}},
	{Item{"tamales", "Tamales", "🫔", byHand}, 0.1, 3, weights{hot: 3}},
	{Item{"falafel", "Falafel", "🧆", byHand}, 0.4, 6, weights{green: 3, hot: 1, meat: -1}},
	{Item{"kebab", "Kebab", "🥙", byHand}, 0.7, 8, weights{meat: 2, hot: 1, comfort: 1}},
	{Item{"club-sandwich", "Club sand\u00adwich", "🥪", byHand}, 0.2, 9, weights{meat: 1, comfort: 1}},
	{Item{"flatbread-and-hummus", "Flat\u00adbread and hummus", "🫓", byHand}, 0.4, 6, weights{green: 3}},

	{Item{"tom-yum-soup", "Tom yum soup", "🍲", soups}, 0.2, 4, weights{hot: 3, umami: 1, sea: 2}},
	{Item{"chilli-con-carne", "Chilli con carne", "🌶️", soups}, 0.3, 7, weights{hot: 3, meat: 2}},
	{Item{"kimchi-stew", "Kimchi stew", "🍲", soups}, -0.1, 3, weights{hot: 3, umami: 2, strong: 2}},
	{Item{"miso-soup", "Miso soup", "🥣", soups}, 0.0, 6, weights{umami: 3, sea: 1}},
	{Item{"oden", "Oden", "🍢", soups}, -0.5, 2, weights{umami: 3, sea: 1}},
	{Item{"lentil-soup", "Lentil soup", "🫘", soups}, -0.3, 7, weights{green: 3}},
	{Item{"tomato-soup", "Tomato soup", "🍅", soups}, 0.0, 9, weights{green: 2, comfort: 1}},
	{Item{"onion-soup", "Onion soup", "🧅", soups}, -0.2, 5, weights{strong: 2, comfort: 1}},
	{Item{"cheese-fondue", "Cheese fondue", "🫕", soups}, 0.5, 5, weights{comfort: 3, strong: 1}},

	{Item{"prawn-tempura", "Prawn tempura", "🍤", seafood}, 0.6, 6, weights{sea: 3, umami: 1, comfort: 1}},
	{Item{"garlic-prawns", "Garlic prawns", "🦐", seafood}, 0.5, 7, weights{sea: 3, hot: 1}},
	{Item{"crab", "Crab", "🦀", seafood}, 0.3, 4, weights{sea: 3}},
	{Item{"lobster", "Lobster", "🦞", seafood}, 0.6, 4, weights{sea: 3}},
	{Item{"calamari", "Calamari", "🦑", seafood}, 0.2, 6, weights{sea: 3, comfort: 1}},
	{Item{"oysters", "Oysters", "🦪", seafood}, -0.9, 4, weights{sea: 3, strong: 2}},
	{Item{"grilled-salmon", "Grilled salmon", "🐟", seafood}, 0.5, 8, weights{sea: 3, green: 1}},
	{Item{"fish-and-chips", "Fish and chips", "🐠", seafood}, 0.6, 8, weights{sea: 2, comfort: 2}},
	{Item{"octopus-salad", "Octopus salad", "🐙", seafood}, -0.6, 3, weights{sea: 3, strong: 1, green: 1}},
	{Item{"fish-cakes", "Fish cakes", "🍥", seafood}, -0.3, 5, weights{sea: 2, umami: 2}},
	{Item{"anchovies", "Ancho\u00advies", "🐡", seafood}, -1.3, 5, weights{sea: 2, strong: 3}},

	{Item{"steak", "Steak", "🥩", roasts}, 1.0, 8, weights{meat: 3, green: -1}},
	{Item{"roast-chicken", "Roast chicken", "🐔", roasts}, 0.8, 10, weights{meat: 2}},
	{Item{"fried-chicken", "Fried chicken", "🍗", roasts}, 1.0, 9, weights{meat: 2, comfort: 2, hot: 1, green: -1}},
	{Item{"spare-ribs", "Spare ribs", "🍖", roasts}, 0.7, 6, weights{meat: 3, green: -1}},
	{Item{"roast-duck", "Roast duck", "🦆", roasts}, 0.4, 5, weights{meat: 3, umami: 1}},
	{Item{"lamb-chops", "Lamb chops", "🐑", roasts}, 0.1, 5, weights{meat: 3, strong: 1}},
	{Item{"pork-schnitzel", "Pork schnitzel", "🐷", roasts}, 0.5, 7, weights{meat: 3, comfort: 2}},
	{Item{"roast-turkey", "Roast turkey", "🦃", roasts}, 0.0, 6, weights{meat: 2}},
	{Item{"liver-and-onions", "Liver and onions", "🐮", roasts}, -1.8, 5, weights{meat: 1, strong: 3}},

	{Item{"green-salad", "Green salad", "🥗", greens}, -0.1, 10, weights{green: 3}},
	{Item{"broccoli", "Broccoli", "🥦", greens}, -0.5, 10, weights{green: 3}},
	{Item{"aubergine", "Auber\u00adgine", "🍆", greens}, -0.5, 7, weights{green: 3, strong: 1}},
	{Item{"corn-on-the-cob", "Corn on the cob", "🌽", greens}, 0.4, 9, weights{green: 1, sweet: 1}},
	{Item{"baked-potato", "Baked potato", "🥔", greens}, 0.3, 9, weights{comfort: 2, green: 1}},
	{Item{"sweet-potato", "Sweet potato", "🍠", greens}, 0.1, 7, weights{green: 2, sweet: 1}},
	{Item{"carrot-sticks", "Carrot sticks", "🥕", greens}, -0.5, 10, weights{green: 3}},
	{Item{"cucumber", "Cucumber", "🥒", greens}, -0.4, 10, weights{green: 3}},
	{Item{"brussels-sprouts", "Brussels sprouts", "🥬", greens}, -1.3, 8, weights{green: 2, strong: 2}},
	{Item{"stuffed-peppers", "Stuffed peppers", "🫑", greens}, -0.2, 6, weights{green: 2, meat: 1}},
	{Item{"grilled-tofu", "Grilled tofu", "🌱", greens}, -0.7, 5, weights{green: 3, umami: 2, meat: -1}},

	{Item{"strawberries", "Straw\u00adberries", "🍓", fruit}, 1.2, 10, weights{sweet: 2, green: 1}},
	{Item{"mango", "Mango", "🥭", fruit}, 0.9, 8, weights{sweet: 2, hot: 1}},
	{Item{"banana", "Banana", "🍌", fruit}, 0.3, 10, weights{sweet: 1, green: 1}},
	{Item{"apple", "Apple", "🍎", fruit}, 0.4, 10, weights{green: 2, sweet: 1}},
	{Item{"pineapple", "Pine\u00adapple", "🍍", fruit}, 0.6, 9, weights{sweet: 2, hot: 1}},
	{Item{"watermelon", "Water\u00admelon", "🍉", fruit}, 0.8, 9, weights{sweet: 1, green: 2}},
	{Item{"grapes", "Grapes", "🍇", fruit}, 0.5, 10, weights{sweet: 1, green: 1}},
	{Item{"cherries", "Cherries", "🍒", fruit}, 0.7, 8, weights{sweet: 2, green: 1}},
	{Item{"peach", "Peach", "🍑", fruit}, 0.7, 8, weights{sweet: 2, green: 1}},
	{Item{"blueberries", "Blue\u00adberries", "🫐", fruit}, 0.5, 8, weights{green: 2, sweet: 1}},
	{Item{"grapefruit", "Grape\u00adfruit", "🍊", fruit}, -0.9, 7, weights{strong: 3, green: 2}},
	{Item{"kiwi", "Kiwi", "🥝", fruit}, 0.2, 8, weights{green: 2, strong: 1}},

	{Item{"popcorn", "Popcorn", "🍿", snacks}, 0.5, 10, weights{comfort: 1, sweet: 1}},
	{Item{"pretzel", "Pretzel", "🥨", snacks}, 0.3, 8, weights{comfort: 2}},
	{Item{"peanuts", "Peanuts", "🥜", snacks}, 0.1, 9, weights{meat: 1, strong: 1}},
	{Item{"roast-chestnuts", "Roast chest\u00adnuts", "🌰", snacks}, -0.4, 4, weights{strong: 1, sweet: 1}},
	{Item{"garlic-bread", "Garlic bread", "🧄", snacks}, 0.8, 8, weights{comfort: 3}},
	{Item{"baguette", "Baguette", "🥖", snacks}, 0.5, 9, weights{comfort: 2}},
	{Item{"blue-cheese", "Blue cheese", "🧀", snacks}, -0.9, 6, weights{strong: 3}},
	{Item{"olives", "Olives", "🫒", snacks}, -0.5, 8, weights{strong: 3, green: 1}},
	{Item{"black-liquorice", "Black liquo\u00adrice", "🖤", snacks}, -1.4, 6, weights{strong: 3, sweet: 1}},

	{Item{"ice-cream", "Ice cream", "🍨", sweets}, 1.4, 10, weights{sweet: 3}},
	{Item{"shaved-ice", "Shaved ice", "🍧", sweets}, 0.0, 4, weights{sweet: 3}},
	{Item{"doughnut", "Dough\u00adnut", "🍩", sweets}, 0.7, 9, weights{sweet: 3, comfort: 1}},
	{Item{"cookie", "Cookie", "🍪", sweets}, 1.0, 10, weights{sweet: 3, comfort: 1}},
	{Item{"cheesecake", "Cheese\u00adcake", "🍰", sweets}, 0.8, 8, weights{sweet: 3, comfort: 1}},
	{Item{"cupcake", "Cupcake", "🧁", sweets}, 0.4, 8, weights{sweet: 3}},
	{Item{"apple-pie", "Apple pie", "🥧", sweets}, 0.9, 8, weights{sweet: 2, comfort: 1}},
	{Item{"chocolate", "Choco\u00adlate", "🍫", sweets}, 1.4, 10, weights{sweet: 3}},
	{Item{"creme-caramel", "Crème caramel", "🍮", sweets}, 0.3, 6, weights{sweet: 3}},
	{Item{"honey-on-bread", "Honey on bread", "🍯", sweets}, 0.0, 8, weights{sweet: 2}},
	{Item{"mooncake", "Moon\u00adcake", "🥮", sweets}, -0.4, 3, weights{sweet: 2, umami: 1}},
	{Item{"dango", "Dango", "🍡", sweets}, -0.1, 3, weights{sweet: 2, umami: 2}},
	{Item{"lollipop", "Lolli\u00adpop", "🍭", sweets}, -0.6, 8, weights{sweet: 3, strong: -1}},

	{Item{"coffee", "Coffee", "☕", drinks}, 0.7, 10, weights{strong: 3}},
	{Item{"green-tea", "Green tea", "🍵", drinks}, 0.2, 8, weights{umami: 1, strong: 2, green: 1}},
	{Item{"black-tea", "Black tea", "🫖", drinks}, 0.3, 9, weights{strong: 1}},
	{Item{"milk", "Milk", "🥛", drinks}, -0.4, 10, weights{comfort: 1, strong: -1}},
	{Item{"bubble-tea", "Bubble tea", "🧋", drinks}, 0.3, 5, weights{sweet: 3, umami: 1}},
	{Item{"orange-juice", "Orange juice", "🧃", drinks}, 0.6, 10, weights{sweet: 1, green: 1}},
	{Item{"lemonade", "Lemonade", "🥤", drinks}, 0.6, 9, weights{sweet: 2, strong: -1}},
	{Item{"mate", "Maté", "🧉", drinks}, -0.9, 2, weights{strong: 3}},
	{Item{"beer", "Beer", "🍺", drinks}, 0.3, 8, weights{strong: 2, meat: 1}},
	{Item{"red-wine", "Red wine", "🍷", drinks}, 0.3, 7, weights{strong: 3, meat: 1}},
}
